/** Longest wait for the script of the installation's Jitsi. */
const TIMEOUT_MS = 20_000

/**
 * Loads the interface of a Jitsi from its domain, once. The package would do so itself, but would not say that it failed,
 * and not try again.
 * @throws Error where the domain does not serve it, or too slowly
 */
export async function loadApi(domain: string): Promise<void> {
  if ('JitsiMeetExternalAPI' in window) return
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new Error(`The interface of ${domain} could not be loaded.`))
    }
    const timer = setTimeout(fail, TIMEOUT_MS)
    script.async = true
    script.src = `https://${domain}/external_api.js`
    script.addEventListener('load', () => {
      clearTimeout(timer)
      if ('JitsiMeetExternalAPI' in window) resolve()
      else fail()
    })
    script.addEventListener('error', () => {
      clearTimeout(timer)
      fail()
    })
    document.head.append(script)
  })
}
