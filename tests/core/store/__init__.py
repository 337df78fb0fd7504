import pytest

pytest.register_assert_rewrite("tests.core.store.contract")
