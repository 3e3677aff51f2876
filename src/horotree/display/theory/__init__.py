"""The paper's theory figures."""
