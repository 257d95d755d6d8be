"""The data sets that the experiments know: their files, where these come from, and what their content must be.

A file is known by its content, whatever it is packed in: `content` is the digest of the numbers that are read from it
(`readers.content_digest`). `packed_sha256` and `packed_size` describe the copy that `content` was taken from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rgm_verify.errors import reject

LIBSVM_SITE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/"
"""Where LibSVM publishes its sets with two classes."""

SIGNS: Mapping[float, float] = {-1.0: -1.0, 1.0: 1.0}
ZERO_ONE: Mapping[float, float] = {0.0: -1.0, 1.0: 1.0}
ONE_TWO: Mapping[float, float] = {1.0: -1.0, 2.0: 1.0}
CLASS_TWO: Mapping[float, float] = {float(k): 1.0 if k == 2 else -1.0 for k in range(1, 8)}


@dataclass(frozen=True)
class SourceFile:
    """One file of a data set: how it may be called, how it is read, and the numbers that it must hold.

    `names` are the names that it is looked for under, the first being that of the copy that was checked. `form` is
    "libsvm" (indices from 1), or "table" with the `delimiter`, the number of `header` lines and the `label` column
    (first or last). `negatives` and `positives` count the labels after mapping. `on_site` is its name on the LibSVM
    site, "" where the site does not publish these records.
    """

    names: tuple[str, ...]
    packed_size: int
    packed_sha256: str
    content: str
    negatives: int
    positives: int
    form: str = "libsvm"
    delimiter: str = ","
    header: int = 0
    label: str = "first"
    on_site: str = ""

    @property
    def records(self) -> int:
        """Number of records."""
        return self.negatives + self.positives

    @property
    def url(self) -> str:
        """The address for a download; "" where none is known."""
        return LIBSVM_SITE + self.on_site if self.on_site else ""


@dataclass(frozen=True)
class Source:
    """A data set: its files in the order in which they are concatenated, and what they mean.

    `labels` maps the labels of the files to -1 and +1, and `mapping` says it in words. `origin` is one sentence: what
    and from where. `limits` says what a subset cannot show; "" for a complete set.
    """

    name: str
    features: int
    files: tuple[SourceFile, ...]
    origin: str
    mapping: str = "labels as in the files"
    labels: Mapping[float, float] = field(default_factory=lambda: SIGNS)
    limits: str = ""

    @property
    def records(self) -> int:
        """Number of records in all files."""
        return sum(file.records for file in self.files)

    @property
    def positives(self) -> int:
        """Number of records with the label +1."""
        return sum(file.positives for file in self.files)


def source(name: str) -> Source:
    """Return the data set called `name`; `InputError` with the known names otherwise."""
    if name not in SOURCES:
        raise reject("dataset", name, f"known data sets: {', '.join(SOURCES)}")
    return SOURCES[name]


IJCNN1 = Source(
    name="ijcnn1",
    features=22,
    files=(
        SourceFile(
            names=("ijcnn1.trn.bz2", "ijcnn1.bz2", "ijcnn1"),
            packed_size=1_395_175,
            packed_sha256="b38a4198ce142d43e96fb86d17b87211feec1f909ac344fa057455c69de29de3",
            content="d379dc671cb296871fc8d51c50020fb1cf96c106454622b14e724e034dbce05b",
            negatives=45_137,
            positives=4_853,
            on_site="ijcnn1.bz2",
        ),
        SourceFile(
            names=("ijcnn1.tst.bz2", "ijcnn1.t.bz2", "ijcnn1.t"),
            packed_size=2_597_597,
            packed_sha256="acd1db430684fdd3f0c768ecc49aa8e749d0004fc117611220c2aa576a7b6a24",
            content="3b712190d53af5514e360627fe138d2c55d039bb54196a6279128118faef7813",
            negatives=82_989,
            positives=8_712,
            on_site="ijcnn1.t.bz2",
        ),
    ),
    origin=(
        "ijcnn1 of LibSVM (IJCNN 2001 challenge), complete, as in X-DataInitiative/tick-datasets: 49,990 records of "
        "training and validation, then 91,701 of test"
    ),
)

A9A = Source(
    name="a9a",
    features=123,
    files=(
        SourceFile(
            names=("a9a.bz2", "a9a"),
            packed_size=100_531,
            packed_sha256="465e407aa0883dabec19088a7f232acb2cd2f733e7a7c2943525310f5499bd55",
            content="9b330c10e33dd5be49cac403a2d39c5fb1d601b0324bee3ceee654eb3a08d2b9",
            negatives=24_720,
            positives=7_841,
            on_site="a9a",
        ),
        SourceFile(
            names=("a9a.t.bz2", "a9a.t"),
            packed_size=50_630,
            packed_sha256="32a91eec3c450c4fc23c3c52c3ef1c21cb99a06b05230bc04531491c22807ad6",
            content="80cd629cba4a0d4322f7348cfbc62ebab0165e78fbd5d2e6c871345302c70d7d",
            negatives=12_435,
            positives=3_846,
            on_site="a9a.t",
        ),
    ),
    origin=(
        "a9a of LibSVM (UCI Adult), complete: 32,561 records of training as in jolars/gsoc18saga, then 16,281 of "
        "test as in X-DataInitiative/tick-datasets"
    ),
)

COD_RNA = Source(
    name="cod-rna",
    features=8,
    files=(
        SourceFile(
            names=("cod-rna.bz2", "cod-rna"),
            packed_size=260_005,
            packed_sha256="a781557c85cccdfc8123cd3bf6d6b1a35eac8a9ac0d2bbc80a90332c887b2d99",
            content="6873cdc277128bf2043b5c8627ad8b4638bb13114e066cfa2c248e107e384fdf",
            negatives=39_690,
            positives=19_845,
            on_site="cod-rna",
        ),
        SourceFile(
            names=("cod-rna.t.bz2", "cod-rna.t"),
            packed_size=1_023_192,
            packed_sha256="372457fab08e9705922662d56993b2f7be11feaa8de5d240dfa66700a5d1e2da",
            content="eacc9672cd73f35218342187b1e1f0ebb39dfcb19d0f0c4c50a433aef63281bd",
            negatives=181_078,
            positives=90_539,
            on_site="cod-rna.t",
        ),
    ),
    origin=(
        "cod-rna of LibSVM (Uzilov et al. 2006), not scaled, as in Arkhymadhe/COD-rNA: 59,535 records of training, "
        "then 271,617 of test; its third file is left out"
    ),
)

MUSHROOMS = Source(
    name="mushrooms",
    features=112,
    files=(
        SourceFile(
            names=("mushrooms.bz2", "mushrooms"),
            packed_size=16_037,
            packed_sha256="e3c021d26c1f732d213b95a073c3daef1b158abe30c1fd579551a1d552c313be",
            content="12bda9f5ab3cc50b41005a3106751ea618ed381dd0106391bd260ad50227c29d",
            negatives=3_916,
            positives=4_208,
            on_site="mushrooms",
        ),
    ),
    origin="mushrooms of LibSVM (UCI), complete, as in jolars/gsoc18saga: 8,124 records",
    mapping="1 is -1, 2 is +1",
    labels=ONE_TWO,
)

PHISHING = Source(
    name="phishing",
    features=68,
    files=(
        SourceFile(
            names=("phishing.bz2", "phishing"),
            packed_size=54_408,
            packed_sha256="cbb192651568d8543aff9f1095f93f2f966f9babfc520311e569d0888b5d784b",
            content="a5ff67c7823935a9588efacb6e14c6b6588581f87a31b6278a852da2cbf3929b",
            negatives=4_898,
            positives=6_157,
            on_site="phishing",
        ),
    ),
    origin="phishing of LibSVM (UCI), complete, as in jolars/gsoc18saga: 11,055 records",
    mapping="0 is -1, 1 is +1",
    labels=ZERO_ONE,
)

AUSTRALIAN = Source(
    name="australian",
    features=14,
    files=(
        SourceFile(
            names=("australian.bz2", "australian"),
            packed_size=6_417,
            packed_sha256="652c9598ee2390281c7a5fe765fa6c167e352590a847c375ececc230be2b8471",
            content="0e85124ec1a0c2f94cf312fcf7e336c93b7d1cd6e195c1e17e4635d7f849073e",
            negatives=383,
            positives=307,
            on_site="australian",
        ),
    ),
    origin="australian of LibSVM (UCI Statlog), not scaled, complete: 690 records",
)

SKIN = Source(
    name="skin_nonskin",
    features=3,
    files=(
        SourceFile(
            names=("skin_nonskin.bz2", "skin_nonskin"),
            packed_size=326_897,
            packed_sha256="704d04a416fa0feff96fa6b8c0a99678fd9f823ec3490b18628bd805b4738bbf",
            content="14769955dd2b9d49a40e6aabafc73a2d214c0596cd8d561889cda302ab5f5317",
            negatives=50_859,
            positives=194_198,
            on_site="skin_nonskin",
        ),
    ),
    origin="skin_nonskin of LibSVM (UCI), complete, as in jolars/gsoc18saga: 245,057 records",
    mapping="1 (skin) is -1, 2 is +1",
    labels=ONE_TWO,
)

W8A = Source(
    name="w8a",
    features=300,
    files=(
        SourceFile(
            names=("w8a.bz2", "w8a"),
            packed_size=313_497,
            packed_sha256="d7fe0ec5079fb8fb0901f85ecbbf87e05698600dc0326e0edbe222426b438801",
            content="429aaea39646875bf5902c973ad628f27f4212d08309aa0d1e4405cf1bdce28d",
            negatives=48_270,
            positives=1_479,
            on_site="w8a",
        ),
    ),
    origin="w8a of LibSVM (Platt), the training file: 49,749 records",
    limits="the test file of w8a is not part of it",
)

COVTYPE = Source(
    name="covtype",
    features=54,
    files=(
        SourceFile(
            names=("covtype.20k.data.bz2",),
            packed_size=282_012,
            packed_sha256="eb28bd6e77cbcfb27026e7aaee55beee48afbf8f9baf8b63b7b0660fce8e23bc",
            content="bd37e062db1c57f44296638153e65beb52cf3337ad6d303bb28bcb33a7129d50",
            negatives=13_978,
            positives=6_022,
            form="table",
            label="last",
        ),
    ),
    origin="the first 20,000 records of UCI Covertype, not scaled, from the repository h2oai/h2o-3 (covtype.20k.data)",
    mapping="class 2 is +1, the other six are -1, as in covtype.binary of LibSVM",
    labels=CLASS_TWO,
    limits="20,000 of 581,012 records, and not with the classes' natural shares",
)

HIGGS = Source(
    name="higgs",
    features=28,
    files=(
        SourceFile(
            names=("higgs_h2o_test_5k.csv.bz2",),
            packed_size=972_478,
            packed_sha256="cf989345bf7c2ea75411ace56adcaa53834a198353e564b9c9ad3ab9e3fe6400",
            content="48e631e2a55c41bda6f033f2b50df831f3c4de168ef4cb65621b3a09ccc9e38e",
            negatives=2_315,
            positives=2_685,
            form="table",
        ),
        SourceFile(
            names=("higgs_sas_11k.csv.bz2",),
            packed_size=1_251_850,
            packed_sha256="0bfe2cafa6e9f53e820b4f7d83cf75b3b99a70cc96b1670329ec310f2a44e172",
            content="d86becb4d89f965f99aad684f7dff661c4ebc5ce0417a54018512cbf9dfffe29",
            negatives=5_163,
            positives=5_821,
            form="table",
            header=1,
            label="last",
        ),
        SourceFile(
            names=("higgs_lightgbm_7000.tsv.bz2",),
            packed_size=294_444,
            packed_sha256="0c3fc290f052187c43fa4b4adefb5498e0d33303d7044107b3536fc91ccfe264",
            content="dc6172b8434106dd42adb23df21516b40a9bb2b15a2b678459ad75bf3d910acd",
            negatives=3_284,
            positives=3_716,
            form="table",
            delimiter="\t",
        ),
        SourceFile(
            names=("higgs_lightgbm_500.tsv.bz2",),
            packed_size=21_796,
            packed_sha256="c10428584a191ee9629eb57b7536756838f226228747515fab01bf210b1c8bce",
            content="4e227e580be8443d6a0bc86961f721b013a77a9a9a555f3482a668ac02cf4589",
            negatives=228,
            positives=272,
            form="table",
            delimiter="\t",
        ),
    ),
    origin=(
        "23,484 records of UCI HIGGS out of examples in the repositories h2oai/h2o-tutorials, "
        "sassoftware/sas-viya-workbench-examples and microsoft/LightGBM"
    ),
    mapping="0 is -1, 1 is +1",
    labels=ZERO_ONE,
    limits=(
        "23,484 of 11,000,000 records, where the paper takes 1,000,000, so that the same privacy needs far more noise; "
        "7,500 of them have three decimals only, one stands twice, and 6 stand in two files"
    ),
)

SUSY = Source(
    name="susy",
    features=18,
    files=(
        SourceFile(
            names=("susy_train_5000.csv.bz2",),
            packed_size=405_106,
            packed_sha256="2aa03f2c3e7c61cc12af10ab1626416f239c010fd6286378b1f82f465a2e3d16",
            content="7069aca507a0b911fbd8dc6027d5bedbcc037e08ad68d061bf40a5bde246c732",
            negatives=2_500,
            positives=2_500,
            form="table",
        ),
        SourceFile(
            names=("susy_test_5000.csv.bz2",),
            packed_size=405_293,
            packed_sha256="5104c7e03bcdeb82eedfd5f9edabac06256a868d4b4258b041bff4ecc362307b",
            content="70c571c0b33ff78fca423b9e5a09a3a3dce99a2c4a62a30391c257995502ca3f",
            negatives=2_500,
            positives=2_500,
            form="table",
        ),
    ),
    origin=(
        "10,000 records of UCI SUSY out of a repository of VoicuTomut (SUSY Dataset/{X,Y}_{train,test}_5000.txt), "
        "joined and printed with 9 digits"
    ),
    mapping="0 is -1, 1 is +1",
    labels=ZERO_ONE,
    limits="10,000 of 5,000,000 records, as many positive as negative, and 9 digits of each number",
)

SOURCES: Mapping[str, Source] = {
    each.name: each for each in (IJCNN1, A9A, COD_RNA, MUSHROOMS, PHISHING, AUSTRALIAN, SKIN, W8A, COVTYPE, HIGGS, SUSY)
}
"""Every data set by its name."""
