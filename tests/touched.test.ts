import { expect, test } from 'vitest'

import { touchedApiTests } from './touched.ts'

test.each([
  ['server/second-factors/flows.ts', ['second-factor']],
  ['server/incidents/activities.flows.ts', ['incidents', 'activities']],
  ['server/kit/messages/sms.ts', ['messages', 'mass-notifications']],
  ['server/kit/messages/mailer.ts', ['messages', 'outbox']],
  ['server/kit/security/attempts.ts', ['lockouts', 'sessions']],
  ['server/kit/http/plain-noun.ts', ['groups', 'notification-templates', 'tenants']],
  ['server/app.ts', ['start', 'site']],
  ['contract/groups/api.ts', ['groups', 'access', 'refusals']],
])('a change of %s runs the tests of what it is for', (file, names) => {
  expect(touchedApiTests([file])).toEqual(
    expect.arrayContaining(names.map((name) => `tests/api/${name}.test.ts`)),
  )
})

test('a change of the browser touches no test of the API', () => {
  expect(touchedApiTests(['src/users/UsersPage.tsx'])).toEqual([])
})
