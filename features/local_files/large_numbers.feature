# Both are of the type long.
@local_files
Feature: Sizes and times that do not fit a smaller number

  @LF-FIELD-03
  Rule: size is an integer in bytes, and of a directory its own

    # A double is the number of JSON in some languages.
    @LF-FIELD-03-301 @needs:huge_files @prudent
    Scenario: a file of more bytes than a double can count
      Given the tree "f=9007199254740993"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"size": 9007199254740993}

    # Twenty long names need more than one block of 4096 bytes; in memory, directories have other sizes.
    @LF-FIELD-03-302
    Scenario: a directory of long names, on a disk
      Given the file system of the disk
      And the tree "d/{'a'*240, 'b'*240, 'c'*240, 'd'*240, 'e'*240, 'f'*240, 'g'*240, 'h'*240, 'i'*240, 'j'*240, 'k'*240, 'l'*240, 'm'*240, 'n'*240, 'o'*240, 'p'*240, 'q'*240, 'r'*240, 's'*240, 't'*240}, e/"
      When listDirectory is called with {"path": "$ROOT"}
      Then size of "d, e" is its own

    @LF-FIELD-03-303
    Scenario: a directory that may not be read, on a disk
      Given the file system of the disk
      And the tree "d/%0000{x}, e/"
      When listDirectory is called with {"path": "$ROOT"}
      Then size of "d, e" is its own

  @LF-FIELD-04
  Rule: lastModified is in milliseconds since 1970

    Scenario Outline: a time of <milliseconds>: <case>
      Given the tree "f=1@<milliseconds>"
      When listDirectory is called with {"path": "$ROOT"}
      Then the entry "f" has {"lastModified": <milliseconds>}

      Examples:
        | id              | case                           | milliseconds   |
        | LF-FIELD-04-301 | its seconds take 33 bits       | 4294967296000  |
        | LF-FIELD-04-302 | its nanoseconds take 64 bits   | 10413792000000 |
