"""The zoo: wrong implementations, each the reference with one piece exchanged.

They show that the suite bites. Like the reference they are candidates and import nothing of the suite; unlike
it each of them is wrong in one way, says so, and names the requirement that it violates.
"""
