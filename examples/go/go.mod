module treeproof-example-go

go 1.21
