# frozen_string_literal: true

# Which one wrong behaviour the process shows; unset means none.
BUG = ENV.fetch("TREEPROOF_BUG", "")

def bug?(name)
  BUG == name
end

# What wrong behaviours keep between calls.
KEPT = {}

# A failed call with the error kind of the protocol.
class Failure < StandardError
  attr_reader :kind

  def initialize(kind, message)
    super(message)
    @kind = kind
  end
end
