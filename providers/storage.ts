/** The browser's storage, which a person or a policy may have closed: then nothing is kept and nothing breaks. */
export const storage = {
  isOpen(): boolean {
    try {
      return typeof localStorage === 'object'
    } catch {
      return false
    }
  },
  read(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  keys(prefix: string): string[] {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
    } catch {
      return []
    }
  },
  /** Null removes. */
  write(key: string, value: string | null): void {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // See above.
    }
  },
}
