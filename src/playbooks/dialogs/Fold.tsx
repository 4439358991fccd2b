import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Accordion from '@mui/material/Accordion'
import AccordionDetails from '@mui/material/AccordionDetails'
import AccordionSummary from '@mui/material/AccordionSummary'
import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Accessible title that names its subject, for several on a page. */
  label: string
  children: ReactNode
}

/** A collapsible part whose content mounts when opened. */
export function Fold({ title, label, children }: Props) {
  const id = useId()
  return (
    <Accordion
      disableGutters
      elevation={0}
      slotProps={{ transition: { unmountOnExit: true } }}
      sx={{ bgcolor: 'transparent', '&::before': { display: 'none' } }}
    >
      <AccordionSummary
        id={id}
        aria-controls={`${id}-content`}
        aria-label={label}
        expandIcon={<ExpandMoreRounded />}
        sx={{
          px: 0,
          minHeight: 44,
          typography: 'subtitle2',
          '& .MuiAccordionSummary-content': { my: 0.5 },
        }}
      >
        {title}
      </AccordionSummary>
      <AccordionDetails sx={{ px: 0, pt: 0 }}>{children}</AccordionDetails>
    </Accordion>
  )
}
