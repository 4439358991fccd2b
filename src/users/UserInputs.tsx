import type { ReactNode } from 'react'

import type { usersApi } from '#contract/users/api.ts'
import { nameProblem, roleOption } from '#contract/users/rules.ts'
import { type RoleOption, UserType } from '#contract/users/schema.ts'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { PhonesInput } from '#src/kit/form/PhonesInput.tsx'
import { useText } from '#src/kit/useText.ts'

import { DeputyInput } from './DeputyInput.tsx'
import { NamesRefused } from './NameHint.tsx'

interface Props extends InputsOf<typeof usersApi> {
  /** Roles that may be assigned. */
  offered: readonly RoleOption[]
  /** The part of the configuration that validates the form. */
  nameCharacters: string
  countries: readonly string[]
  /** Country of phone numbers without a dial code. */
  defaultCountry: string | null
  /** Page on which other characters in names are allowed. */
  settings: string
  /** Undefined where it is not known whether SMS and calls are sent here. */
  offersSms?: boolean | undefined
  /** False where people cannot be searched, and the deputy is an address. */
  hasPicker?: boolean
  /** Message above the form of a new user. */
  notice?: ReactNode
}

/** The fields of a user. */
export function UserInputs({
  inputs,
  record,
  offered,
  nameCharacters,
  countries,
  defaultCountry,
  settings,
  offersSms = true,
  hasPicker = true,
  notice,
}: Props) {
  const { TextInput, SelectInput, BooleanInput } = inputs
  const text = useText()
  // A user keeps a role that is not offered, such as playbook manager.
  const kept = record && offered.every(({ role }) => role !== record.role) ? [roleOption(record.role)] : []
  const roles = [...offered, ...kept].map((option) => ({
    value: option.role,
    label: option.visibleName,
    description: option.description,
  }))
  const types = UserType.options.map((type) => ({
    value: type,
    label: text(`users.types.${type}`),
    description: text(`users.typeHelp.${type}`),
  }))
  const nameRule = (value: unknown) =>
    nameProblem(typeof value === 'string' ? value.trim() : '', nameCharacters)
  const canActivate = !record || (!record.lastLoginTimestamp && !record.hasPasswordSet)
  return (
    <>
      {!record && notice}
      <TextInput source="firstName" label="users.firstName" required autoFocus={!record} rule={nameRule} />
      <TextInput
        source="lastName"
        label="users.lastName"
        required={nameCharacters !== 'EXTENDED'}
        rule={nameRule}
      />
      <NamesRefused settings={settings} />
      <TextInput
        source="email"
        label="users.email"
        type="email"
        inputMode="email"
        required={!record}
        readOnly={record !== undefined}
        help={record ? 'users.emailFixed' : 'users.emailHelp'}
      />
      <PhonesInput
        label="users.phone"
        help={offersSms ? 'users.phoneHelp' : 'users.phoneHelpWithoutSms'}
        helpOutside="users.phoneOutside"
        countries={countries}
        defaultCountry={defaultCountry}
      />
      <SelectInput source="role" label="users.role" choices={roles} />
      <SelectInput source="type" label="users.type" choices={types} />
      <TextInput source="location" label="users.fields.location" />
      <TextInput source="department" label="users.fields.department" />
      {hasPicker ? (
        <DeputyInput />
      ) : (
        <TextInput source="deputy" label="users.fields.deputy" help="users.deputyHelp" />
      )}
      {canActivate && (
        <BooleanInput
          as="checkbox"
          source="sendWelcomeSetPasswordEmail"
          label="users.sendActivation"
          help="users.sendActivationHelp"
        />
      )}
    </>
  )
}
