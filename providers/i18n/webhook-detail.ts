import type { DeliveryState, DeliveryType } from '#contract/webhooks/schema.ts'

/** Names of events. */
const types: { readonly [T in DeliveryType]: string } = {
  'incident.declared': 'Incident declared',
  'incident.changed': 'Incident changed',
  'incident.resolved': 'Incident resolved',
  'incident.reopened': 'Incident reopened',
  'task.added': 'Task added',
  'task.completed': 'Task completed',
  'update.added': 'Update added',
  'person.checked-in': 'Check-in',
  'decision.made': 'Decision made',
  'situation-report.published': 'Situation report published',
  test: 'Test',
}
const states: { readonly [S in DeliveryState]: string } = {
  WAITING: 'Waiting',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
}

/** Words of the page of an outbound webhook. They load with it. */
export const webhookDetail = {
  types,
  states,
  address: 'Address',
  events: 'Events',
  state: 'State',
  on: 'On',
  off: 'Off',
  failures: (count: number) =>
    count === 1 ? 'On, the last attempt has failed' : `On, the last ${count} attempts have failed`,
  switchedOff:
    'Fifty attempts in a row have failed, so this webhook was switched off. Check its address, send a test, and switch it on again under Edit.',
  signature: 'Proof',
  signatureText: 'A signature of each call in the header X-Muster-Signature',
  test: 'Send test',
  tested: 'The test is on its way. Its outcome stands below.',
  resend: 'Send again',
  resendOf: (type: string, time: string) => `Send again: ${type}, ${time}`,
  resent: 'The delivery is on its way again.',
  deliveries: 'Last deliveries',
  deliveriesHelp: 'The last hundred deliveries, with the beginning of the answers.',
  none: 'Nothing was sent yet.',
  time: 'Time',
  event: 'Event',
  outcome: 'Outcome',
  answered: (status: number) => `It answered ${status}.`,
  attempts: (count: number) => `${count} attempts.`,
  next: 'Next attempt:',
  answer: 'Answer',
}
