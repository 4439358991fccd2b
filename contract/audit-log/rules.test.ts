import { expect, test } from 'vitest'

import { eventInWords, fieldInWords, isSecret, nounInWords, valueInWords } from './rules.ts'

test.each([
  ['users', 'deactivated', 'User deactivated'],
  ['api-keys', 'deleted', 'API key deleted'],
  ['api-keys', 'refused', 'API key used from an address that it is not for'],
  ['activities', 'added', 'Activity added'],
  ['sessions', 'started', 'Signed in'],
  ['mass-notifications', 'sent', 'Mass notification sent'],
  ['notification-templates', 'updated', 'Notification template updated'],
  ['contacts', 'imported', 'Contacts imported'],
  // Nouns without an entry in the tables make a sentence as well.
  ['playbook-categories', 'renamed', 'Playbook category renamed'],
  ['access', 'granted', 'Access granted'],
])('%s %s reads "%s"', (noun, verb, words) => {
  expect(eventInWords({ noun, verb })).toBe(words)
})

test('kinds of record and fields are named as people would', () => {
  expect(['api-keys', 'incident-reports', 'check-ins', 'second-factors'].map(nounInWords)).toEqual([
    'API key',
    'Incident report',
    'Check in',
    'Second factor',
  ])
  expect(
    ['assignedTo', 'sha256', 'fullText', 'expectedTimeToComplete', 'ipAddress'].map(fieldInWords),
  ).toEqual(['Assigned to', 'SHA-256', 'Description', 'Expected time to complete', 'IP address'])
})

test('choices become words, and what people typed stays as it is', () => {
  expect(valueInWords('status', 'IN_PROGRESS')).toBe('In progress')
  expect(valueInWords('types', 'EMAIL, SMS, VOICE_CALL')).toBe('Email, SMS, Voice call')
  expect(valueInWords('name', 'ACME')).toBe('ACME')
  expect(valueInWords('name', '')).toBe('–')
  expect(valueInWords('isTabletop', 'true')).toBe('Yes')
})

test('what looks like a secret is one', () => {
  expect(['password', 'webhookSecret', 'accessToken', 'key', 'hash'].every(isSecret)).toBe(true)
  expect(['visibleKeyPart', 'sha256', 'name'].filter(isSecret)).toEqual([])
})
