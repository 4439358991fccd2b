import { describe, expect, test } from 'vitest'

import {
  bestLevel,
  FRESH_LINE,
  type LineLevel,
  type LineSample,
  nextLevel,
  NO_CAMERA,
  NO_COUNTERS,
  qualityOf,
  readLine,
  SIZES,
  SOUND_ALONE,
} from './line.ts'
import { tuned } from './sdp.ts'

const CALM: LineSample = { lossOut: 0, lossIn: 0, roundTrip: 0.05, available: 2_000_000 }
const LOSSY: LineSample = { ...CALM, lossOut: 0.3 }
const NARROW: LineSample = { ...CALM, available: 60_000 }
const after = (line: LineLevel, times: number, sample: LineSample): LineLevel =>
  Array.from({ length: times }).reduce<LineLevel>((known) => nextLevel(known, sample), line)

describe('the level of a line', () => {
  test('begins with smaller pictures the more people there are', () => {
    expect([1, 2, 3, 4, 5, 6].map(bestLevel)).toEqual([0, 0, 1, 2, 3, 3])
    expect(SIZES.map(({ bitrate }) => bitrate)).toEqual(
      SIZES.map(({ bitrate }) => bitrate).toSorted((a, b) => b - a),
    )
  })

  test('sinks with loss until no camera is sent, and not by a single bad moment', () => {
    expect(after(FRESH_LINE, 1, LOSSY).level).toBe(0)
    expect(nextLevel(after(FRESH_LINE, 1, LOSSY), CALM).bad).toBe(0)
    expect(after(FRESH_LINE, 2, LOSSY).level).toBe(1)
    expect(after(FRESH_LINE, 2 * NO_CAMERA, LOSSY).level).toBe(NO_CAMERA)
    expect(after(FRESH_LINE, 2 * NO_CAMERA, NARROW).level).toBe(NO_CAMERA)
  })

  test('carries sound alone where even that is lost', () => {
    expect(after(FRESH_LINE, 2 * NO_CAMERA + 6, LOSSY).level).toBe(SOUND_ALONE)
  })

  test('tries pictures again after a while, and later each time that it was too early', () => {
    const paused = after(FRESH_LINE, 2 * NO_CAMERA, NARROW)
    const tried = after(paused, paused.pause + 1, NARROW)
    expect(tried.level).toBe(NO_CAMERA - 1)
    const again = after(tried, 2, NARROW)
    expect(again.level).toBe(NO_CAMERA)
    expect(again.pause).toBe(2 * paused.pause)
  })

  test('rises slowly on a calm line', () => {
    const low = after(FRESH_LINE, 4, LOSSY)
    expect(low.level).toBe(2)
    expect(after(low, 4, CALM).level).toBe(2)
    expect(after(low, 5, CALM).level).toBe(1)
    expect(after(low, 10, CALM).level).toBe(0)
    expect(after(low, 30, CALM).level).toBe(0)
  })
})

test('the quality of a line is what arrives of the other end, and how late', () => {
  expect(qualityOf({ lossOut: null, lossIn: null, roundTrip: null, available: null })).toBeNull()
  expect(qualityOf(CALM)).toBe('good')
  expect(qualityOf({ ...CALM, lossIn: 0.05 })).toBe('fair')
  expect(qualityOf({ ...CALM, roundTrip: 0.5 })).toBe('fair')
  expect(qualityOf({ ...CALM, lossIn: 0.2 })).toBe('poor')
})

test('the statistics of a connection are read since the last time', () => {
  const reports = [
    { type: 'inbound-rtp', kind: 'audio', mid: '0', packetsLost: 30, packetsReceived: 170 },
    {
      type: 'inbound-rtp',
      kind: 'video',
      mid: '1',
      packetsLost: 0,
      packetsReceived: 100,
      framesReceived: 50,
    },
    { type: 'remote-inbound-rtp', fractionLost: 0.02, roundTripTime: 0.1 },
    { type: 'candidate-pair', nominated: true, state: 'succeeded', availableOutgoingBitrate: 800_000 },
    { type: 'candidate-pair', nominated: false, state: 'failed', availableOutgoingBitrate: 1 },
  ]
  const first = readLine(reports, NO_COUNTERS, ['1', '2'])
  expect(first.sample).toEqual({ lossOut: 0.02, lossIn: 0.1, roundTrip: 0.1, available: 800_000 })
  expect(first.counters.frames).toEqual([50, 0])
  expect(readLine(reports, first.counters, ['1', '2']).sample.lossIn).toBeNull()
})

test('descriptions ask for repaired and silent sound, and change nothing else', () => {
  const sdp = 'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=0\r\na=fmtp:96 x=1\r\n'
  expect(tuned(sdp)).toBe(
    'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1;usedtx=1\r\na=fmtp:96 x=1\r\n',
  )
  expect(tuned('v=0\r\n')).toBe('v=0\r\n')
})
