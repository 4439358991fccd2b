import Alert from '@mui/material/Alert'
import AlertTitle from '@mui/material/AlertTitle'

import type { TextKey } from '#providers/i18nProvider.ts'
import { useText } from '../useText.ts'
import { Sentences } from './Problems.tsx'

interface Props {
  warnings: readonly { readonly message: string }[]
  title?: TextKey
}

/** Phone numbers of a file that cannot be read, each with its row and the reason. */
export function PhoneWarnings({ warnings, title = 'tableImport.phonesLeftOut' }: Props) {
  const text = useText()
  if (warnings.length === 0) return null
  return (
    <Alert severity="warning">
      <AlertTitle>{text(title, { smart_count: warnings.length })}</AlertTitle>
      <Sentences sentences={warnings.map(({ message }) => message)} />
    </Alert>
  )
}
