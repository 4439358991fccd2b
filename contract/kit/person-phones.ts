import { type PhoneProblem, type PhoneReader, readPersonPhones } from './phone.ts'

import { type PersonPhones, PHONE_FIELDS } from './phone-fields.ts'

type SentPhones = { readonly [F in keyof PersonPhones]?: string | null | undefined }
interface ReadPhones {
  readonly phones: PersonPhones
  readonly problems: readonly (PhoneProblem & { readonly field: 'phoneNumber' | 'secondPhoneNumber' })[]
}

/** Reads the numbers of a person. Each problem names the field of its number. */
export function readPhonesOf(sent: SentPhones, reader: PhoneReader): ReadPhones {
  const { phones, problems } = readPersonPhones(
    [
      { number: sent.phoneNumber, extension: sent.phoneExtension },
      { number: sent.secondPhoneNumber, extension: sent.secondPhoneExtension },
    ],
    reader,
  )
  const [first, second] = phones
  return {
    phones: {
      phoneNumber: first?.number ?? null,
      phoneExtension: first?.extension ?? null,
      secondPhoneNumber: second?.number ?? null,
      secondPhoneExtension: second?.extension ?? null,
    },
    problems: problems.map((problem) => ({
      ...problem,
      field: problem.at === 0 ? 'phoneNumber' : 'secondPhoneNumber',
    })),
  }
}

/**
 * Reads changed numbers of a person. Numbers that are not sent stay, and so does an extension whose number stays.
 * Unchanged numbers are not checked again.
 */
export function readChangedPhones(sent: SentPhones, before: PersonPhones, reader: PhoneReader): ReadPhones {
  const number = (field: 'phoneNumber' | 'secondPhoneNumber') =>
    sent[field] === undefined ? before[field] : sent[field]
  const extension = (field: 'phoneExtension' | 'secondPhoneExtension', isSame: boolean) =>
    sent[field] === undefined && isSame ? before[field] : (sent[field] ?? null)
  const [first, second] = [number('phoneNumber'), number('secondPhoneNumber')]
  const phones = {
    phoneNumber: first,
    phoneExtension: extension('phoneExtension', first === before.phoneNumber),
    secondPhoneNumber: second,
    secondPhoneExtension: extension('secondPhoneExtension', second === before.secondPhoneNumber),
  }
  if (PHONE_FIELDS.every((field) => phones[field] === before[field])) return { phones: before, problems: [] }
  return readPhonesOf(phones, reader)
}
