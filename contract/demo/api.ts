import * as z from 'zod/mini'

import { incidentsAccess } from '#contract/incidents/access.ts'
import { defineApi } from '#contract/kit/endpoint.ts'
import { id, nothing } from '#contract/kit/text.ts'

/** The exercise of a demonstration organisation, in which its people act by themselves for some minutes. */
export const demoApi = defineApi({
  begin: {
    method: 'POST',
    path: '/demonstration/exercise',
    access: incidentsAccess.write,
    summary: 'Begins an exercise of the demonstration, unless one is in progress, and answers its id.',
    reply: z.object({ id }),
    status: 201,
    errors: {
      403: 'Another exercise is in progress, and the organisation may not have several.',
      404: 'The organisation is no demonstration.',
    },
  },
  end: {
    method: 'DELETE',
    path: '/demonstration/exercise',
    access: incidentsAccess.write,
    summary: 'Ends the exercise of the demonstration.',
    reply: nothing,
    status: 204,
    errors: { 404: 'The organisation is no demonstration, or no exercise of it is in progress.' },
  },
})
