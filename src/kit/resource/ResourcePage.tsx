import Box from '@mui/material/Box'

import { PageTitle } from '../layout/PageTitle.tsx'
import type { AnyTable } from './resource.ts'
import { ResourceSection } from './ResourceSection.tsx'
import { useText } from '../useText.ts'

/** The page of a declared resource. */
export function ResourcePage({ definition }: { definition: AnyTable }) {
  const text = useText()
  return (
    <Box sx={{ p: { xs: 2, md: 3 } }}>
      <PageTitle title={text(definition.title)} />
      <ResourceSection definition={definition} />
    </Box>
  )
}
