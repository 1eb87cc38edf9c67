/** Returns the value of a cookie that scripts may read; empty if there is no such cookie. */
export function readCookie(name: string): string {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='))
  return pairs.find(([own]) => own === name)?.[1] ?? ''
}

/** Sets a cookie of this site. With 0 seconds, deletes it. */
export function writeCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`
}
