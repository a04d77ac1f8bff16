module example.org/walkdir

go 1.21
