//! When the scrapes were taken. A time may stand before a scrape, after it, or on its samples;
//! one of the three must be complete before anything per second is said.

use crate::prometheus::{Scrape, Stamp};

/// The three places where a scrape's time may stand.
pub type Stamps = [Option<Stamp>; 3];

/// The times of one scrape by place: before it, after it, on its samples.
pub fn of(scrape: &Scrape<'_>) -> Stamps {
    [
        scrape.before,
        scrape.after,
        scrape.sampled_at.map(Stamp::Utc),
    ]
}

/// Elapsed time along the scrapes, followed for each place at once.
#[derive(Debug, Clone, Default)]
pub struct Course {
    first: Stamps,
    last: Stamps,
    elapsed: [Option<f64>; 3],
    steps: u32,
    /// Whether a step went back in time, by place.
    backwards: [bool; 3],
}

impl Course {
    /// Takes the times of the next scrape and says how long after the first it was, by place.
    pub fn take(&mut self, stamps: Stamps) -> [Option<f64>; 3] {
        if self.steps == 0 {
            self.first = stamps;
            self.elapsed = stamps.map(|s| s.map(|_| 0.0));
        } else {
            for (place, stamp) in stamps.iter().enumerate() {
                let step = stamp
                    .zip(self.last[place])
                    .and_then(|(now, then)| now.since(then));
                self.backwards[place] |= step.is_some_and(|s| s < 0.0);
                self.elapsed[place] = self.elapsed[place].zip(step).map(|(sum, step)| sum + step);
            }
        }
        self.last = stamps;
        self.steps += 1;
        self.elapsed
    }

    /// The place whose times are complete, if there is one.
    pub fn place(&self) -> Option<usize> {
        (0..3).find(|place| self.elapsed[*place].is_some())
    }

    /// Seconds from the first scrape to the last.
    pub fn seconds(&self) -> Option<f64> {
        self.elapsed[self.place()?]
    }

    /// Whether the times of the complete place ran backwards.
    pub fn ran_backwards(&self) -> bool {
        self.place().is_some_and(|place| self.backwards[place])
    }

    /// Unix seconds of the first scrape, when known.
    pub fn first(&self) -> Option<f64> {
        self.first[self.place()?]?.unix()
    }

    /// Unix seconds of the last scrape, when known.
    pub fn last(&self) -> Option<f64> {
        self.last[self.place()?]?.unix()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_complete_place_wins() {
        let mut course = Course::default();
        course.take([None, Some(Stamp::Utc(10.0)), None]);
        course.take([Some(Stamp::Utc(10.0)), Some(Stamp::Utc(40.0)), None]);
        assert_eq!(course.place(), Some(1));
        assert_eq!(course.seconds(), Some(30.0));
        assert_eq!(course.first(), Some(10.0));
    }

    #[test]
    fn clocks_pass_midnight_and_give_no_date() {
        let mut course = Course::default();
        for clock in [86_390.0, 5.0, 20.0] {
            course.take([Some(Stamp::Clock(clock)), None, None]);
        }
        assert_eq!(course.seconds(), Some(30.0));
        assert_eq!(course.last(), None);
        assert!(!course.ran_backwards());
    }

    #[test]
    fn a_gap_leaves_no_time() {
        let mut course = Course::default();
        course.take([Some(Stamp::Utc(1.0)), None, None]);
        course.take([None, None, None]);
        course.take([Some(Stamp::Utc(3.0)), None, None]);
        assert_eq!(course.seconds(), None);
    }
}
