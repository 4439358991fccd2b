import type { providerLogApi } from '#contract/provider-log/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'
import type { Services } from '#server/kit/services.ts'

import { providerLog } from './flows.ts'

export const providerLogRoutes = (services: Services): Handlers<typeof providerLogApi> =>
  providerLog(services)
