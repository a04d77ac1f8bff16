"""The oracles' shared code: reading combinations, judgement, scenarios, case generation. No rule of a specification."""
