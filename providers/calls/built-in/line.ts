import type { Quality } from '../engine.ts'

/** Measurements of the connection to one participant since the previous sample. */
export interface LineSample {
  /** Share of sent packets that were lost, from 0 to 1; null while unknown. */
  readonly lossOut: number | null
  /** Share of received packets that were lost, from 0 to 1. */
  readonly lossIn: number | null
  /** Round trip, in seconds. */
  readonly roundTrip: number | null
  /** The browser's estimate of outgoing bandwidth, in bits per second. */
  readonly available: number | null
}

/** Encoding of a camera's picture. */
export interface PictureSize {
  /** Lines of the picture. */
  readonly height: number
  readonly framesPerSecond: number
  /** Maximum bits per second. */
  readonly bitrate: number
}
export const SIZES: readonly PictureSize[] = [
  { height: 720, framesPerSecond: 30, bitrate: 1_200_000 },
  { height: 360, framesPerSecond: 24, bitrate: 500_000 },
  { height: 270, framesPerSecond: 20, bitrate: 300_000 },
  { height: 180, framesPerSecond: 15, bitrate: 150_000 },
]
/** Level at which the camera is no longer sent. */
export const NO_CAMERA = SIZES.length
/** Level at which only sound is sent. */
export const SOUND_ALONE = NO_CAMERA + 1

/** Best level for this number of people, each of whom needs a stream from everybody else. */
export const bestLevel = (people: number): number => Math.min(Math.max(people - 2, 0), SIZES.length - 1)

/** Limits beyond which pictures stop, before sound suffers: loss, and bits per second. */
const BAD_LOSS = 0.12
const TOO_LITTLE = 90_000
const GOOD_LOSS = 0.03
/** Measurements in a row before the level changes. */
const BAD_ENOUGH = 2
const GOOD_ENOUGH = 5
/** Measurements before pictures are tried again, doubled after each failed attempt. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 40

/** State of the connection to one participant. */
export interface LineLevel {
  /** 0 for the largest pictures; see `NO_CAMERA` and `SOUND_ALONE`. */
  readonly level: number
  readonly bad: number
  readonly good: number
  /** Measurements since pictures stopped. */
  readonly paused: number
  readonly pause: number
}
export const FRESH_LINE: LineLevel = { level: 0, bad: 0, good: 0, paused: 0, pause: FIRST_PAUSE }

/** The state after another measurement. */
export function nextLevel(line: LineLevel, { lossOut, available }: LineSample): LineLevel {
  const isLossy = (lossOut ?? 0) > BAD_LOSS
  if (line.level >= NO_CAMERA) {
    if (line.paused < line.pause) return { ...line, paused: line.paused + 1 }
    const pause = Math.min(line.pause * 2, LONGEST_PAUSE)
    // The bandwidth for pictures can only be measured by sending some.
    return { ...line, level: isLossy ? SOUND_ALONE : NO_CAMERA - 1, bad: 0, good: 0, paused: 0, pause }
  }
  const isBad = isLossy || (available ?? Infinity) < TOO_LITTLE
  if (isBad) {
    const bad = line.bad + 1
    return bad < BAD_ENOUGH
      ? { ...line, bad, good: 0 }
      : { ...line, level: line.level + 1, bad: 0, good: 0, paused: 0 }
  }
  const isGood = (lossOut ?? 0) < GOOD_LOSS
  const good = isGood ? line.good + 1 : 0
  if (good < GOOD_ENOUGH) return { ...line, bad: 0, good }
  return { ...line, level: Math.max(0, line.level - 1), bad: 0, good: 0, pause: FIRST_PAUSE }
}

/** Quality of the sound and picture received from a participant. */
export function qualityOf({ lossIn, roundTrip }: LineSample): Quality {
  if (lossIn === null && roundTrip === null) return null
  const loss = lossIn ?? 0
  const delay = roundTrip ?? 0
  if (loss > 0.1 || delay > 0.8) return 'poor'
  return loss > 0.03 || delay > 0.35 ? 'fair' : 'good'
}

/** Counters of a connection's statistics, the base of the next sample. */
export interface LineCounters {
  readonly lost: number
  readonly received: number
  /** Frames received of camera and screen. */
  readonly frames: readonly [camera: number, screen: number]
}
export const NO_COUNTERS: LineCounters = { lost: 0, received: 0, frames: [0, 0] }

interface Report {
  readonly type: string
  readonly kind?: string
  readonly mid?: string
  readonly packetsLost?: number
  readonly packetsReceived?: number
  readonly framesReceived?: number
  readonly fractionLost?: number
  readonly roundTripTime?: number
  readonly currentRoundTripTime?: number
  readonly availableOutgoingBitrate?: number
  readonly nominated?: boolean
  readonly state?: string
}
const most = (values: readonly (number | undefined)[]): number | null => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? null : Math.max(...known)
}

/** Reads the statistics of a connection with the given media sections for camera and screen. */
export function readLine(
  reports: readonly Report[],
  before: LineCounters,
  mids: readonly [camera: string | null, screen: string | null],
): { sample: LineSample; counters: LineCounters } {
  const inbound = reports.filter(({ type }) => type === 'inbound-rtp')
  const remote = reports.filter(({ type }) => type === 'remote-inbound-rtp')
  const pairs = reports.filter(
    ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
  )
  const sum = (field: 'packetsLost' | 'packetsReceived') =>
    inbound.reduce((all, report) => all + (report[field] ?? 0), 0)
  const framesOf = (mid: string | null) =>
    inbound.find((report) => mid !== null && report.mid === mid)?.framesReceived ?? 0
  const counters: LineCounters = {
    lost: sum('packetsLost'),
    received: sum('packetsReceived'),
    frames: [framesOf(mids[0]), framesOf(mids[1])],
  }
  const lost = Math.max(0, counters.lost - before.lost)
  const all = lost + Math.max(0, counters.received - before.received)
  return {
    counters,
    sample: {
      lossOut: most(remote.map(({ fractionLost }) => fractionLost)),
      lossIn: all === 0 ? null : lost / all,
      roundTrip: most([
        ...remote.map(({ roundTripTime }) => roundTripTime),
        ...pairs.map(({ currentRoundTripTime }) => currentRoundTripTime),
      ]),
      available: most(pairs.map(({ availableOutgoingBitrate }) => availableOutgoingBitrate)),
    },
  }
}
