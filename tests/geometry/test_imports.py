import subprocess
import sys


def test_geometry_loads_neither_scipy_nor_scikit_learn_nor_matplotlib():
    code = "import sys, horotree.geometry; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.split(".")[0] for module in done.stdout.split()}
    assert "horotree" in loaded
    assert not loaded & {"scipy", "sklearn", "matplotlib", "pandas"}


def test_geometry_exports_its_modules():
    import horotree.geometry

    assert sorted(horotree.geometry.__all__) == [
        "hyperbolicity",
        "lorentz",
        "poincare",
        "polar",
        "tself",
    ]
