/** A real server on a data folder of its own. */
export interface Place {
  readonly url: string
  readonly dataDir: string
}

const PLACES = 'MUSTER_PLACES'

/** Tells the workers of a run where their servers are. */
export const announce = (places: readonly Place[]): void => {
  process.env[PLACES] = JSON.stringify(places.map(({ url, dataDir }) => ({ url, dataDir })))
}

/** The server of the worker that asks: stories of two workers never meet. */
export const place: Place = (JSON.parse(process.env[PLACES] ?? '[]') as Place[])[
  Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)
] ?? { url: '', dataDir: '' }
