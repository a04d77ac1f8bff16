const selected = process.env.TREEPROOF_BUG ?? "";
export const bug = (name) => selected === name;
export const family = (...beginnings) => beginnings.some((each) => selected.startsWith(each));
