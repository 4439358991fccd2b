import type { playbookImportsApi } from '#contract/playbook-imports/api.ts'
import type { Handlers } from '#server/kit/http/serve.ts'

import { previewFile, starterLibrary } from './flows.ts'

export const playbookImportsRoutes = (): Handlers<typeof playbookImportsApi> => ({
  starters: () => starterLibrary(),
  // A preview reads nothing from the database, and a long file takes a while.
  preview: { outsideTransaction: ({ body }) => previewFile(body) },
})
