import { setTimeout as sleep } from 'node:timers/promises'

import { WebSocket } from 'ws'

import type { LiveMessage } from '#contract/kit/live.ts'

import { makePerson, signInAs, withClient } from './fixture.ts'
import { requestJson, percentile, type Target } from './measure.ts'
import { absolute, ms, type Result } from './report.ts'
import { type BenchProduct, type Stage, targetOf } from './stage.ts'

const CHANGES = 200
const WARM_UP = 20
const BUDGET_MS = 250

interface Times {
  /** Milliseconds from the writer's request, and from its acknowledgement, to the event in the other browser. */
  readonly fromRequest: number
  readonly fromAnswer: number
  /** Milliseconds from the acknowledgement until the other browser has read the change. */
  readonly untilRead: number
}

export const live = async (stage: Stage): Promise<Result[]> => report(await follow(await stage.bench()))

function report(times: readonly Times[]): Result[] {
  const both = (of: keyof Times) => {
    const values = times.map((time) => time[of])
    return {
      p99: percentile(values, 0.99),
      text: `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.99))}`,
    }
  }
  const told = both('fromAnswer')
  const read = both('untilRead')
  const holds = (p99: number) => p99 <= BUDGET_MS
  const line = (what: string, figure: { p99: number; text: string }, isHeld: boolean) =>
    absolute(
      'live',
      `${what}, p50 / p99`,
      figure.text,
      isHeld ? `≤ ${BUDGET_MS} ms` : null,
      isHeld ? holds(figure.p99) : null,
    )
  return [
    line('request to event', both('fromRequest'), false),
    line('answer to event', told, true),
    line('answer to read again', read, true),
  ]
}

/**
 * One person changes an incident repeatedly; another receives each event on the live socket and fetches the incident.
 */
async function follow(bench: BenchProduct): Promise<Times[]> {
  const other = await withClient(bench.connection, (client) =>
    makePerson(client, bench.large, `other-${crypto.randomUUID().slice(0, 8)}`),
  )
  const listener = await signInAs(bench.product.url, bench.large, other)
  const { id } = await requestJson<{ id: string }>(
    targetOf(bench, {
      method: 'POST',
      path: '/incident',
      body: () => JSON.stringify({ title: 'Followed', fullText: '<p>Followed</p>' }),
    }),
  )
  const { ticket } = await requestJson<{ ticket: string }>(
    targetOf(bench, { method: 'POST', path: '/live/ticket' }, listener),
  )
  const socket = new WebSocket(`${bench.product.url.replace('http', 'ws')}/api/live`)
  const heard = Promise.withResolvers<void>()
  let hear: (message: LiveMessage) => void = () => {}
  socket.on('open', () => socket.send(JSON.stringify({ ticket, after: null })))
  socket.on('error', heard.reject)
  socket.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as LiveMessage
    if (message.type === 'ready') heard.resolve()
    hear(message)
  })
  await heard.promise

  const times: Times[] = []
  for (let n = 0; n < CHANGES + WARM_UP; n += 1) {
    const title = `Followed ${n}`
    const began = performance.now()
    const told = new Promise<number>((resolve) => {
      hear = (message) => {
        if (message.type === 'event' && message.noun === 'incidents' && message.record === id)
          resolve(performance.now())
      }
    })
    const read = told.then(async () => {
      const incident = await requestJson<{ title: string }>(
        targetOf(bench, { path: `/incident/${id}` }, listener),
      )
      if (incident.title !== title) throw new Error('What was read again is not what was written.')
      return performance.now()
    })
    const change: Target = targetOf(bench, {
      method: 'PATCH',
      path: `/incident/${id}`,
      body: () => JSON.stringify({ title }),
    })
    const written = requestJson(change).then(() => performance.now())
    const [answered, toldAt, readAt] = await Promise.all([written, told, read])
    if (n >= WARM_UP)
      times.push({
        fromRequest: toldAt - began,
        // The event may overtake the response.
        fromAnswer: Math.max(0, toldAt - answered),
        untilRead: Math.max(0, readAt - answered),
      })
    await sleep(5 + Math.random() * 15)
  }
  socket.close()
  return times
}
