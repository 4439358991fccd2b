import * as z from 'zod/mini'

import { staffAs } from '#contract/kit/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'

import { CarrierName, CarrierTest, CarrierTestResult, Instance } from './schema.ts'

/** The installation as its operator sees it. */
export const instanceApi = defineApi({
  get: {
    method: 'GET',
    path: '/instance',
    access: staffAs.look,
    summary: 'Version, database, disk, carriers, queues, and messages that were not delivered.',
    reply: Instance,
  },
  test: {
    method: 'POST',
    path: '/instance/test/:carrier',
    access: staffAs.support,
    summary: 'Sends a message, or stores a file, and answers what came back.',
    params: z.object({ carrier: CarrierName }),
    body: CarrierTest,
    reply: CarrierTestResult,
  },
})
