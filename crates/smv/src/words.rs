//! Arithmetic of words: vectors of functions, the lowest bit first. Results are cut to the width of the operands.

use riata_symbolic::Bdd;
use riata_system::Stop;

/// A word.
pub(crate) type Word<F> = Vec<F>;

/// The constant `value` in `width` bits.
pub(crate) fn constant<B: Bdd>(b: &B, width: u32, value: u64) -> Word<B::F> {
    (0..width).map(|i| b.constant(value >> i & 1 == 1)).collect()
}

/// Bit by bit.
pub(crate) fn zip<B: Bdd>(
    x: &[B::F],
    y: &[B::F],
    op: impl Fn(&B::F, &B::F) -> Result<B::F, Stop>,
) -> Result<Word<B::F>, Stop> {
    x.iter().zip(y).map(|(p, q)| op(p, q)).collect()
}

/// `c ? x : y`
pub(crate) fn choose<B: Bdd>(b: &B, c: &B::F, x: &[B::F], y: &[B::F]) -> Result<Word<B::F>, Stop> {
    zip::<B>(x, y, |p, q| b.ite(c, p, q))
}

/// x + y + carry, and the carry that comes out.
fn sum<B: Bdd>(b: &B, x: &[B::F], y: &[B::F], mut carry: B::F) -> Result<(Word<B::F>, B::F), Stop> {
    let mut bits = Vec::new();
    for (p, q) in x.iter().zip(y) {
        let half = b.xor(p, q)?;
        bits.push(b.xor(&half, &carry)?);
        carry = b.ite(&half, &carry, p)?;
    }
    Ok((bits, carry))
}

fn inverted<B: Bdd>(b: &B, x: &[B::F]) -> Word<B::F> {
    x.iter().map(|p| b.not(p)).collect()
}

/// x + y
pub(crate) fn add<B: Bdd>(b: &B, x: &[B::F], y: &[B::F]) -> Result<Word<B::F>, Stop> {
    Ok(sum(b, x, y, b.constant(false))?.0)
}

/// x − y
pub(crate) fn sub<B: Bdd>(b: &B, x: &[B::F], y: &[B::F]) -> Result<Word<B::F>, Stop> {
    Ok(sum(b, x, &inverted(b, y), b.constant(true))?.0)
}

/// −x
pub(crate) fn neg<B: Bdd>(b: &B, x: &[B::F]) -> Result<Word<B::F>, Stop> {
    sub(b, &constant(b, x.len() as u32, 0), x)
}

/// x · y
pub(crate) fn mul<B: Bdd>(b: &B, x: &[B::F], y: &[B::F]) -> Result<Word<B::F>, Stop> {
    let mut total = constant(b, x.len() as u32, 0);
    for (i, q) in y.iter().enumerate() {
        let shifted: Word<B::F> =
            (0..x.len()).map(|k| if k < i { b.constant(false) } else { x[k - i].clone() }).collect();
        let more = add(b, &total, &shifted)?;
        total = choose(b, q, &more, &total)?;
    }
    Ok(total)
}

/// x < y
pub(crate) fn less<B: Bdd>(b: &B, signed: bool, x: &[B::F], y: &[B::F]) -> Result<B::F, Stop> {
    let (mut x, mut y) = (x.to_vec(), y.to_vec());
    if signed && let (Some(p), Some(q)) = (x.last_mut(), y.last_mut()) {
        // With the sign bits swapped the order is that of unsigned words.
        std::mem::swap(p, q);
    }
    // x < y when x − y borrows.
    let (_, carry) = sum(b, &x, &inverted(b, &y), b.constant(true))?;
    Ok(b.not(&carry))
}

/// x = y
pub(crate) fn equal<B: Bdd>(b: &B, x: &[B::F], y: &[B::F]) -> Result<B::F, Stop> {
    x.iter().zip(y).try_fold(b.constant(true), |all, (p, q)| b.and(&all, &b.iff(p, q)?))
}

/// x / y and x mod y; anything where y is zero. Division of signed words is cut toward zero.
pub(crate) fn divide<B: Bdd>(b: &B, signed: bool, x: &[B::F], y: &[B::F]) -> Result<[Word<B::F>; 2], Stop> {
    let n = x.len();
    if signed {
        let (sx, sy) = (x[n - 1].clone(), y[n - 1].clone());
        let magnitude = |s: &B::F, w: &[B::F]| choose(b, s, &neg(b, w)?, w);
        let [q, r] = divide(b, false, &magnitude(&sx, x)?, &magnitude(&sy, y)?)?;
        let differ = b.xor(&sx, &sy)?;
        return Ok([choose(b, &differ, &neg(b, &q)?, &q)?, choose(b, &sx, &neg(b, &r)?, &r)?]);
    }
    let mut rest = constant(b, n as u32 + 1, 0);
    let mut wide = y.to_vec();
    wide.push(b.constant(false));
    let mut quotient = constant(b, n as u32, 0);
    for i in (0..n).rev() {
        rest.pop();
        rest.insert(0, x[i].clone());
        let fits = b.not(&less(b, false, &rest, &wide)?);
        rest = choose(b, &fits, &sub(b, &rest, &wide)?, &rest)?;
        quotient[i] = fits;
    }
    rest.pop();
    Ok([quotient, rest])
}

/// x shifted by a constant; to the right signed words keep their sign.
pub(crate) fn shift<B: Bdd>(b: &B, signed: bool, x: &[B::F], left: bool, by: usize) -> Word<B::F> {
    let n = x.len();
    let fill = if signed && !left { x[n - 1].clone() } else { b.constant(false) };
    let from = |i: usize| if left { i.checked_sub(by) } else { Some(i + by).filter(|k| *k < n) };
    (0..n).map(|i| from(i).map_or_else(|| fill.clone(), |k| x[k].clone())).collect()
}
