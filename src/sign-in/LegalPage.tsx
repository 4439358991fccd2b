import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'

import { legal, type LegalText } from '#providers/i18n/legal.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { CardFooter } from '#src/kit/layout/CardFooter.tsx'
import { Lead } from '#src/kit/layout/Lead.tsx'
import { StandalonePage } from '#src/kit/layout/StandalonePage.tsx'

import { PublicLink } from './PublicLink.tsx'

const PAGE_WIDTH = 720

/** The privacy policy and the terms of use, also for people who are signed in. */
export function LegalPage({ which }: { which: 'privacy' | 'terms' }) {
  const { title, lead, sections }: LegalText = legal[which]
  return (
    <StandalonePage title={title} product={signIn.product} width={PAGE_WIDTH}>
      <Box component="article" sx={{ lineHeight: 1.6 }}>
        <Typography variant="h1" gutterBottom>
          {title}
        </Typography>
        <Lead>{lead}</Lead>
        {sections.map((section) => (
          <Box key={section.title} component="section" sx={{ '& p, & ul': { mt: 1, mb: 0 } }}>
            <Typography variant="h2" sx={{ mt: 4, fontSize: '1.125rem' }}>
              {section.title}
            </Typography>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {section.points && (
              <Box component="ul" sx={{ pl: 2.5, '& li + li': { mt: 0.75 } }}>
                {section.points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </Box>
            )}
          </Box>
        ))}
      </Box>
      <CardFooter>
        <PublicLink to="/">{legal.back}</PublicLink>
        <PublicLink to={which === 'privacy' ? '/terms' : '/privacy'}>{legal.other[which]}</PublicLink>
      </CardFooter>
    </StandalonePage>
  )
}
