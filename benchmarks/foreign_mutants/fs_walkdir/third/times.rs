//! RFC 3339.
use crate::b;
use std::os::raw::{c_char, c_int, c_long};

#[repr(C)]
#[derive(Default)]
struct Tm {
    sec: c_int,
    min: c_int,
    hour: c_int,
    mday: c_int,
    mon: c_int,
    year: c_int,
    wday: c_int,
    yday: c_int,
    isdst: c_int,
    gmtoff: c_long,
    zone: usize,
    _pad: [c_char; 16],
}

extern "C" {
    fn tzset();
    fn localtime_r(time: *const i64, tm: *mut Tm) -> *mut Tm;
}

fn local(seconds: i64) -> (i64, bool) {
    let mut tm = Tm::default();
    unsafe {
        tzset();
        localtime_r(&seconds, &mut tm);
    }
    (tm.gmtoff as i64, tm.isdst > 0)
}

fn leap(year: i64) -> bool {
    if b("time_leap_2100") {
        return year % 4 == 0;
    }
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

/// Year, month and day of a day since 1970.
fn civil(mut days: i64) -> (i64, i64, i64) {
    let mut year = 1970;
    let cycles = days.div_euclid(146_097);
    if !b("time_leap_2100") {
        year += cycles * 400;
        days -= cycles * 146_097;
    }
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if days < 0 {
            year -= 1;
            days += if leap(year) { 366 } else { 365 };
        } else if days >= length {
            days -= length;
            year += 1;
        } else {
            break;
        }
    }
    let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    (year, month as i64 + 1, days + 1)
}

/// The year to which the ISO week of a day belongs.
fn week_year(days: i64) -> i64 {
    let weekday = (days + 3).rem_euclid(7); // 0 is Monday
    civil(days - weekday + 3).0
}

pub fn rfc3339(seconds: i64, nanos: i64) -> String {
    let mut seconds = seconds;
    if b("time_ceil") && nanos > 0 {
        seconds += 1;
    }
    if b("time_clamp_1970") {
        seconds = seconds.max(0);
    }
    if b("time_32_bits") {
        seconds = i64::from(seconds as i32);
    }
    if b("time_zero_empty") && seconds == 0 {
        return String::new();
    }
    if b("time_float") {
        // seconds as a 32-bit float
        seconds = (seconds as f32) as i64;
    }
    let mut offset = 0;
    let mut suffix = "Z".to_string();
    let (real, dst) = local(seconds);
    let signed = |offset: i64| {
        let sign = if offset < 0 { '-' } else { '+' };
        (sign, offset.abs() / 3600, offset.abs() % 3600 / 60)
    };
    if b("time_local_as_z") {
        offset = real;
    } else if b("time_offset_hours") {
        offset = real;
        let (sign, hours, _) = signed(real);
        suffix = format!("{sign}{hours:02}:00");
    } else if b("time_offset_no_colon") {
        offset = real;
        let (sign, hours, minutes) = signed(real);
        suffix = format!("{sign}{hours:02}{minutes:02}");
    } else if b("time_offset_sign") {
        offset = real;
        let (sign, hours, minutes) = signed(-real);
        suffix = format!("{sign}{hours:02}:{minutes:02}");
    } else if b("time_offset_standard") {
        offset = real;
        let (sign, hours, minutes) = signed(if dst { real - 3600 } else { real });
        suffix = format!("{sign}{hours:02}:{minutes:02}");
    } else if b("time_no_offset") {
        suffix = String::new();
    } else if b("time_zone_name") {
        suffix = "UTC".to_string();
    }
    let shown = seconds + offset;
    let days = shown.div_euclid(86_400);
    let rest = shown.rem_euclid(86_400);
    let (mut year, month, day) = civil(days);
    let (mut hour, mut minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    if b("time_week_year") {
        year = week_year(days);
    }
    if b("time_12_hours") {
        hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    }
    if b("time_midnight_24") && hour == 0 {
        hour = 24;
    }
    if b("time_month_as_minute") {
        minute = month;
    }
    if b("time_not_padded") {
        return format!("{year:04}-{month}-{day}T{hour:02}:{minute:02}:{second:02}{suffix}");
    }
    if b("time_zero_second_dropped") && second == 0 && nanos == 0 {
        return format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}{suffix}");
    }
    let fraction = if b("time_fraction_unpadded") && nanos > 0 {
        format!(".{}", nanos / 1_000_000)
    } else if b("time_fraction_comma") && nanos > 0 {
        format!(",{:03}", nanos / 1_000_000)
    } else {
        String::new()
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{suffix}")
}
