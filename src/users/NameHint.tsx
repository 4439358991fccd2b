import Alert from '@mui/material/Alert'
import MuiLink from '@mui/material/Link'
import { useFormState } from 'react-hook-form'
import { Link } from 'react-router-dom'

import { INVALID_NAME } from '#contract/kit/text.ts'
import { useText } from '#src/kit/useText.ts'

interface Props {
  /** Page of the setting; null for people who cannot open it. */
  settings: string | null
}

/** Says that an organisation can allow what people are called, with a link to the setting. */
export function NameHint({ settings }: Props) {
  const text = useText()
  return (
    <>
      {text('users.namesHint')}{' '}
      {settings === null ? (
        text('users.namesAsk')
      ) : (
        // Another tab, so that neither the form nor the file has to be filled in again.
        <MuiLink component={Link} to={settings} target="_blank">
          {text('users.namesSetting')}
        </MuiLink>
      )}
    </>
  )
}

/** The hint below the names of a form while one of them is refused. */
export function NamesRefused(props: Props) {
  const { errors } = useFormState({ name: ['firstName', 'lastName'] })
  const isRefused = [errors['firstName'], errors['lastName']].some((error) => error?.message === INVALID_NAME)
  return isRefused ? (
    <Alert severity="info">
      <NameHint {...props} />
    </Alert>
  ) : null
}
