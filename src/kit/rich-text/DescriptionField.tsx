import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { type ReactNode, Suspense, useState } from 'react'

import { lazy } from '../browser/lazy.ts'
import { useText } from '../useText.ts'
import type { Props as FormattedProps } from './FormattedField.tsx'

const FormattedField = lazy(async () => ({ default: (await import('./FormattedField.tsx')).FormattedField }))

interface Props extends Omit<FormattedProps, 'autoFocus'> {
  /** The field for plain text. */
  children: ReactNode
}

/** A description: a field for plain text, and the editor for rich text where it has formatting or is to get some. */
export function DescriptionField({ children, ...field }: Props) {
  const text = useText()
  const [isChosen, setChosen] = useState(false)
  if (field.html === null && !isChosen)
    return (
      <div>
        <Box sx={{ display: 'grid' }}>{children}</Box>
        <Button
          size="small"
          color="inherit"
          onClick={() => setChosen(true)}
          sx={{ minHeight: { xs: 44, sm: 30 }, color: 'text.secondary' }}
        >
          {text('richText.format')}
        </Button>
      </div>
    )
  return (
    <Suspense
      fallback={<Skeleton role="status" variant="rounded" height={176} aria-label={text('kit.loading')} />}
    >
      <FormattedField {...field} autoFocus={isChosen} />
    </Suspense>
  )
}
