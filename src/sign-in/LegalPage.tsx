import './legal.css'

import { legal, type LegalText } from '#providers/i18n/legal.ts'
import { signIn } from '#providers/i18n/sign-in.ts'
import { PlainLink } from '#src/kit/layout/PlainLink.tsx'
import { PlainPage } from '#src/kit/layout/PlainPage.tsx'

/** The privacy policy and the terms of use, for everybody, whoever is signed in. */
export function LegalPage({ which }: { which: 'privacy' | 'terms' }) {
  const { title, lead, sections }: LegalText = legal[which]
  return (
    <PlainPage title={title} product={signIn.product} wide>
      <article className="legal">
        <h1>{title}</h1>
        <p className="plain-lead">{lead}</p>
        {sections.map((section) => (
          <section key={section.title}>
            <h2>{section.title}</h2>
            {section.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {section.points && (
              <ul>
                {section.points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            )}
          </section>
        ))}
      </article>
      <p className="plain-facts">
        <PlainLink to="/">{legal.back}</PlainLink>
        <PlainLink to={which === 'privacy' ? '/terms' : '/privacy'}>{legal.other[which]}</PlainLink>
      </p>
    </PlainPage>
  )
}
