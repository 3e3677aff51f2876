"""What importers raise when a model cannot be shown as what it is."""

SUPPORTED = (
    "scikit-learn's DecisionTree, ExtraTree, RandomForest, ExtraTrees, Bagging (of trees), "
    "GradientBoosting, HistGradientBoosting and AdaBoost (of trees) classifiers, also as the last "
    "step of a Pipeline or the best of a search; XGBoost's Booster, XGBClassifier, .json and .ubj "
    "files; LightGBM's Booster, LGBMClassifier and .txt files; CatBoost's CatBoostClassifier, .cbm "
    "and .json files; YDF's gradient boosted trees, random forests and CART, and their folders"
)


class UnsupportedModelError(ValueError):
    """A model that cannot be imported: a regressor, a ranker, or of an unknown kind.

    Parameters
    ----------
    reason : str
        What was wanted, what was got, and how to fix it: a sentence. What is supported is added.

    Examples
    --------
    >>> from horotree.importers import UnsupportedModelError
    >>> error = UnsupportedModelError("model must classify, got a regressor.")
    >>> str(error).startswith("model must classify, got a regressor. Supported are scikit-learn's")
    True
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} Supported are {SUPPORTED}.")
        self.reason = reason

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.reason,)
