@list_directory
Feature: A deep tree is listed to its end

  @FR-LD-LST-02
  Rule: neither the stack nor the number of open files ends a walk

    # A candidate that recurses for each level, or keeps each directory open, exhausts a resource during the walk.
    @LD-LST-02-611
    Scenario: five hundred and twenty directories in each other
      Given the tree "'d/'*520'x', z"
      And the configuration {"max_depth": 1000, "max_entries": 1000}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_depth": 1000, "max_entries": 1000}
      Then the listing has 522 entries

    # A process usually has 1024 descriptors.
    @LD-LST-02-614
    Scenario: more directories side by side than a process may have open
      Given the tree "d0000..d1023/, e/{x}"
      And the configuration {"max_entries": 2000}
      And budgets of 1000000 and 1000000 bytes
      When list_directory is called with {"recursive": true, "max_entries": 2000}
      Then the listing has 1026 entries

    # A program that is made for code, pictures or backups leaves out some of these.
    @LD-LST-02-625
    Scenario: names of every ending
      Given the tree "d/{a.7z, a.a, a.aux, a.bak, a.bin, a.bmp, a.c, a.cache, a.class, a.cmd, a.com, a.crdownload, a.csv, a.db, a.dll, a.doc, a.docx, a.dylib, a.elc, a.exe, a.gif, a.gz, a.htm, a.ico, a.img, a.iso, a.jar, a.jpeg, a.jpg, a.js, a.json, a.lnk, a.lock, a.log, a.map, a.md, a.min.js, a.mp3, a.mp4, a.o, a.obj, a.old, a.orig, a.part, a.pdf, a.pid, a.png, a.pyc, a.pyo, a.rar, a.rej, a.sh, a.so, a.sqlite, a.svg, a.swp, a.sys, a.tar, a.tmp, a.ttf, a.txt, a.url, a.wav, a.webp, a.woff2, a.xls, a.xz, a.zip, a~, a.}, b.app/{x}, c.egg-info/{x}, d.git/{x}, e.asar, f.bundle/{x}, g.d/{x}, h.zip/{x}"
      When list_directory is called with {"recursive": true}
      Then the listing has 84 entries

    # Other tools read such files, at the top and in each directory, and leave out what they name.
    @LD-LST-02-626
    Scenario: files that other tools take for rules are files
      Given the tree "CACHEDIR.TAG="Signature: 8a477f597d28d172789f06886806bc55", a/{.gitignore="*", .nomedia, x, y/{.ignore="z", z}}, b/{.fdignore="x", .rgignore="*", CACHEDIR.TAG="Signature: 8a477f597d28d172789f06886806bc55", x}, c/{.git="gitdir: ../x", .hgignore="x", .eslintignore="x", x}, d/{.nobackup, .dockerignore="x", .gcloudignore="x", .hidden="x", x}"
      When list_directory is called with {"recursive": true}
      Then the entries are "CACHEDIR.TAG, a, a/x, a/y, a/y/z, b, b/CACHEDIR.TAG, b/x, c, c/x, d, d/x"
