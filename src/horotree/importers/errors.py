"""What importers raise when a model cannot be shown as what it is."""

SUPPORTED = (
    "scikit-learn's DecisionTree, ExtraTree, RandomForest, ExtraTrees, Bagging (of trees), "
    "GradientBoosting, HistGradientBoosting and AdaBoost (of trees) classifiers, also as the last "
    "step of a Pipeline or the best of a search; XGBoost's Booster, XGBClassifier, .json and .ubj "
    "files; LightGBM's Booster, LGBMClassifier and .txt files; CatBoost's CatBoostClassifier, .cbm "
    "and .json files; YDF's gradient boosted trees, random forests and CART, and their folders; "
    "horotree's own models, estimators and files"
)


# What to do about a model without classes: the end of a sentence.
TRAIN_A_CLASSIFIER = "train a classifier, for only classes can be drawn"


class UnsupportedModelError(ValueError):
    """A model of a known library that cannot be imported, such as a regressor, and the reason.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from horotree import from_model
    >>> from horotree.importers import UnsupportedModelError
    >>> try:
    ...     from_model(SVC())
    ... except UnsupportedModelError as error:
    ...     print(error)
    model must be a classifier made of trees, got a SVC.
    """


class UnknownModelError(UnsupportedModelError):
    """An object or a file of an unknown kind: the reason, and a list of what is supported.

    The reason is a sentence: what was wanted, what was got, and how to fix it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} Supported are {SUPPORTED}.")
        self.reason = reason

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.reason,)
