//! The switch: at most one bug is on.
use std::sync::OnceLock;

pub fn bug(name: &str) -> bool {
    static SWITCH: OnceLock<String> = OnceLock::new();
    SWITCH.get_or_init(|| std::env::var("TREEPROOF_BUG").unwrap_or_default()) == name
}
