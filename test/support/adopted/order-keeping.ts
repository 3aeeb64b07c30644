/**
 * Gives numbers of a range to positions, in the same order. So the content of a test, with IDs of text, can be put into a table
 * whose IDs are numbers. A new position gets a number between those of its neighbours, in proportion; the first ones keep this
 * distance, so that others fit between them.
 */
export class OrderKeeping {
  readonly #taken: Place[];
  readonly #distance: bigint;

  /** From the least position and its number to the greatest; those two are never given. */
  constructor(first: Place, last: Place, distance: bigint) {
    this.#taken = [first, last];
    this.#distance = distance;
  }

  numberOf(position: bigint): bigint {
    const at = this.#taken.findIndex(each => each.position >= position);
    const [low, high] = [this.#taken[at - 1], this.#taken[at]];
    if (!low || !high) throw new RangeError('the position is outside of the range');
    if (high.position === position) return high.number;
    const room = high.number - low.number;
    if (room < 2n) throw new RangeError('no number is left between the neighbours');
    const proportional = (room * (position - low.position)) / (high.position - low.position);
    const margin = room < 2n * this.#distance ? room / 2n : this.#distance;
    const step = proportional < margin ? margin : proportional > room - margin ? room - margin : proportional;
    const number = low.number + step;
    this.#taken.splice(at, 0, { position, number });
    return number;
  }
}

export interface Place {
  readonly position: bigint;
  readonly number: bigint;
}

const ID_BYTES = 128;

/** An ID as a number in the order of IDs: that of their bytes. */
export function positionOf(id: string): bigint {
  return BigInt(`0x${Buffer.from(id.padEnd(ID_BYTES, '\0')).toString('hex')}`);
}

export const LAST_POSITION = 1n << BigInt(8 * ID_BYTES);
