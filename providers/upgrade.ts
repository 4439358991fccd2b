import { featuresApi } from '#contract/features/api.ts'
import type { Feature } from '#contract/features/schema.ts'

import { call } from './api.ts'

export async function requestUpgrade(name: Feature): Promise<void> {
  await call(featuresApi.requestUpgrade, { query: { name } })
}
