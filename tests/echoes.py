"""A specification of a tool that returns its argument, for tests that execute whole runs."""

SPEC = """
[spec]
name = "echoes"
version = "1"
title = "A tool that returns its argument"
source = "echoes.md"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
prefix = "EC"
steps = ["treeproof.steps.shared.trees", "treeproof.steps.shared.calls", "{steps}"]

[[tool]]
name = "say"
capabilities = [{capabilities}]
"""
"""A `spec.toml` without requirements: `steps` is a module, `capabilities` are those of the tool."""

STEPS = '''
"""The steps of the echoes."""
from treeproof.api import Mismatch, then

@then(r'it says "(?P<text>.*)"', example='it says "hello"')
def it_says(world, text):
    """Compare the content of the call result with the text."""
    if world.answer.content != text:
        raise Mismatch("it says something else", expected=text, got=str(world.answer.content))
'''

FEATURE = """
@echoes
Feature: Echoes

  @EC-R-1
  Rule: it returns its argument

    @EC-1-01
    Scenario: a word
      Given the tree "a"
      When say is called with {"text": "hello"}
      Then it says "hello"
"""
"""One requirement and its scenario; tests append others."""
