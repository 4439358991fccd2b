/** Fields of a person's numbers, in their order. */
export const PHONE_FIELDS = [
  'phoneNumber',
  'phoneExtension',
  'secondPhoneNumber',
  'secondPhoneExtension',
] as const
/** The numbers of a person, as they are sent and as they are stored. */
export type PersonPhones = { readonly [F in (typeof PHONE_FIELDS)[number]]: string | null }
export const NO_PHONES: PersonPhones = {
  phoneNumber: null,
  phoneExtension: null,
  secondPhoneNumber: null,
  secondPhoneExtension: null,
}
