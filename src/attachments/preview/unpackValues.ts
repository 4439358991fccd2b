import { Inflate } from 'fflate'

import * as unpack from '#contract/kit/unpack.ts'

/** @throws Error if the archive unpacks to more than `max` bytes, or is damaged */
export const demandUnpackable = (bytes: Uint8Array, max = unpack.UNPACKED_MAX): void =>
  unpack.demandUnpackable(bytes, Inflate, max)
