import { Logo } from '../layout/Logo.tsx'

/** The splash screen of index.html, kept until the application has loaded. */
export function Boot() {
  return (
    <div className="boot">
      <Logo size={48} />
    </div>
  )
}
