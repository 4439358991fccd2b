import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useFormState, useWatch } from 'react-hook-form'

import { managedOrganisationsApi } from '#contract/managed-organisations/api.ts'
import { codeOf } from '#contract/managed-organisations/rules.ts'
import { call } from '#providers/api.ts'
import type { Choice } from '#src/kit/form/SelectInput.tsx'
import type { InputsOf } from '#src/kit/resource/resource.ts'
import { useText } from '#src/kit/useText.ts'

import { ParentInput } from './ParentInput.tsx'

type Props = InputsOf<typeof managedOrganisationsApi> & { levels: readonly Choice[] }

const POOL_QUERY = {
  queryKey: ['management/organizations', 'credentials'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(managedOrganisationsApi.credentials, { signal }),
} as const

/** The sign-in code: chosen, or made from the name that is typed. */
function CodeInput({ inputs: { TextInput } }: Pick<Props, 'inputs'>) {
  const text = useText()
  const [name = '', domain = ''] = useWatch({ name: ['enterpriseName', 'enterpriseDomain'] }) as string[]
  const code = codeOf(name, domain)
  return (
    <TextInput
      source="enterpriseCode"
      label="management.organizations.fields.code"
      renderNote={(typed) =>
        typed.trim() !== '' || name.trim() === ''
          ? text('management.organizations.codeHelp')
          : text('management.organizations.codeFromName', { code })
      }
    />
  )
}

/** Credentials of the hosted chat service, folded away unless one of them is refused. */
function HostedChat({ inputs: { TextInput } }: Pick<Props, 'inputs'>) {
  const text = useText()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { errors } = useFormState()
  const typed: unknown = useWatch({ name: 'streamApiKey' })
  const isRefused = errors['streamApiKey'] !== undefined || errors['streamSecret'] !== undefined
  // A key that was kept over a reload is never hidden.
  const [wasTyped] = useState(typed !== '' && typed !== null && typed !== undefined)
  const isShown = isOpen || wasTyped || isRefused
  const pool = useQuery(POOL_QUERY).data?.available ?? 0
  const chat = pool > 0 && {
    disabled: true,
    renderNote: () => text('management.organizations.fromPool', { smart_count: pool }),
  }
  return (
    <Box>
      <Button
        color="inherit"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
        endIcon={<ExpandMoreRounded sx={{ transform: isShown ? 'rotate(180deg)' : 'none' }} />}
        sx={{ px: 0, minHeight: 44 }}
      >
        {text('management.organizations.hostedChat')}
      </Button>
      <Box id={id} sx={{ display: isShown ? 'grid' : 'none', gap: 2 }}>
        <TextInput
          source="streamApiKey"
          label="management.organizations.fields.streamApiKey"
          help="management.organizations.builtInChat"
          {...chat}
        />
        <TextInput
          source="streamSecret"
          label="management.organizations.fields.streamSecret"
          type="password"
          autoComplete="new-password"
          {...chat}
        />
      </Box>
    </Box>
  )
}

/** The fields of a new organisation. */
export function NewOrganisationInputs({ inputs, levels }: Props) {
  const { TextInput, SelectInput } = inputs
  return (
    <>
      <TextInput source="enterpriseName" label="management.organizations.fields.name" required autoFocus />
      <TextInput source="enterpriseDomain" label="management.organizations.fields.domain" required />
      <CodeInput inputs={inputs} />
      <TextInput source="adminFirstName" label="management.organizations.fields.adminFirstName" required />
      <TextInput source="adminLastName" label="management.organizations.fields.adminLastName" required />
      <TextInput
        source="adminEmail"
        label="management.organizations.fields.adminEmail"
        type="email"
        required
      />
      <SelectInput
        source="subscriptionLevel"
        label="management.organizations.fields.level"
        choices={levels}
        required
      />
      <TextInput
        source="subscriptionMaxUsers"
        label="management.organizations.fields.maxUsers"
        inputMode="numeric"
        required
      />
      <ParentInput source="parentId" />
      <HostedChat inputs={inputs} />
    </>
  )
}
