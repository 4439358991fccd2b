/** Path of what Twilio calls. */
export const TWILIO_PATH = '/carriers/twilio'

/** Addresses that Twilio calls about a message. They name the organisation, so that row-level security holds at once. */
export interface Callbacks {
  /** Takes what became of a message. */
  readonly status: (organisationId: string, messageId: string) => string
  /** Takes the key that was pressed in a call. */
  readonly keys: (organisationId: string, messageId: string) => string
}
export const callbacksTo = (publicUrl: string): Callbacks => ({
  status: (organisationId, messageId) => `${publicUrl}${TWILIO_PATH}/status/${organisationId}/${messageId}`,
  keys: (organisationId, messageId) => `${publicUrl}${TWILIO_PATH}/keys/${organisationId}/${messageId}`,
})
