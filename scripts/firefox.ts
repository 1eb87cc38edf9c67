/** A port on which nothing listens: connections that are not to loopback are refused at once. */
const NOWHERE_PORT = 9

/** Preferences for a fake camera and microphone, loopback traffic only, and pages without motion. */
export const firefoxPreferences: Readonly<Record<string, string | number | boolean>> = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.peerconnection.ice.loopback': true,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  'media.autoplay.default': 0,
  'media.gmp-manager.updateEnabled': false,
  'ui.prefersReducedMotion': 1,
  'app.update.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.safebrowsing.downloads.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'network.prefetch-next': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.unified': false,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': NOWHERE_PORT,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': NOWHERE_PORT,
  'network.proxy.no_proxies_on': 'localhost, 127.0.0.1',
}
