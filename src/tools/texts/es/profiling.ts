import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/profiling.ts'

export const texts: Translation<typeof english> = {
  'profiling.title': 'Lo que ha medido este navegador',
  'profiling.lead': 'Llamadas y peticiones de esta visita, guardadas solo en este navegador. No se envía nada.',
  'profiling.refresh': 'Actualizar',
  'profiling.save': 'Guardar',
  'profiling.save.json': 'Todo (JSON)',
  'profiling.save.rtcstats': 'Estadísticas de las llamadas (rtcstats)',
  'profiling.save.trace': 'Traza (Perfetto, Chrome)',
  'profiling.findings': 'Lo que llama la atención',
  'profiling.findings.none': 'Nada va lento y no ha quedado nada abierto.',
  'profiling.finding.worker-task':
    'El worker calcula demasiado tiempo en {where}: {count} veces, hasta {measured} ms sin pausa. Hasta {limit} ms está bien, porque las demás peticiones esperan lo mismo.',
  'profiling.finding.lost-message':
    'El servidor de mensajes no respondió a {where}: {count} veces, abandonado tras {measured} ms. Se perdió la respuesta o el propio mensaje.',
  'profiling.finding.late-chunk':
    'El código de {where} llegó tarde: {measured} ms después de pedirlo. Hasta {limit} ms está bien.',
  'profiling.finding.leaked-track':
    'Hay cámaras o micrófonos que siguen funcionando: {measured} pistas activas fuera de una llamada, donde debería haber {limit}.',
  'profiling.finding.leaked-connection':
    'Hay conexiones entre pares que siguen abiertas: {measured} fuera de una llamada, donde debería haber {limit}.',
  'profiling.finding.leaked-listener':
    'Hay listeners que no se quitan: {where}, {measured} veces el mismo. Hasta {limit} es normal.',
  'profiling.finding.slow-relay':
    'El servidor de retransmisión va lento: {measured} ms hasta su primer candidato, en {count} conexiones. Hasta {limit} ms está bien.',
  'profiling.finding.blocked-udp': 'La red no deja pasar UDP: {where} va por TCP y ningún servidor respondió por UDP.',
  'profiling.finding.stuck-queue':
    'Hay peticiones a los workers en cola aunque ningún worker calcula: {count} peticiones, hasta {measured} ms ({where}). Hasta {limit} ms está bien.',
  'profiling.finding.slow-provider':
    'El proveedor del inicio de sesión va lento: {measured} ms para {where}. Hasta {limit} ms está bien.',
  'profiling.calls': 'Llamadas',
  'profiling.calls.none': 'Todavía no hay ninguna llamada.',
  'profiling.call': 'Llamada {number}: {ms} ms desde que pulsas hasta la primera imagen',
  'profiling.call.unfinished': 'Llamada {number}: ninguna imagen en {ms} ms',
  'profiling.slowest': 'Paso más lento: {step}, {ms} ms',
  'profiling.slowest-after-match': 'Paso más lento desde el encuentro: {step}, {ms} ms',
  'profiling.causes': 'Calidad y desde cuándo: {causes}',
  'profiling.steps': '{count, plural, one {# paso} other {# pasos}}',
  'profiling.step': 'Paso',
  'profiling.start': 'Inicio (ms)',
  'profiling.length': 'Duración (ms)',
  'profiling.place': 'Lugar en la llamada',
  'profiling.requests': 'Peticiones a los workers',
  'profiling.requests.none': 'Todavía no hay ninguna petición.',
  'profiling.method': 'Método',
  'profiling.count': 'Número',
  'profiling.queue': 'Cola p50 / p95 (ms)',
  'profiling.work': 'Trabajo p50 / p95 (ms)',
  'profiling.reply': 'Respuesta p50 / p95 (ms)',
  'profiling.alive': 'Lo que sigue vivo',
  'profiling.alive.what': 'Qué',
  'profiling.alive.now': 'Ahora',
  'profiling.alive.at-most': 'Como máximo, fuera de una llamada',
  'profiling.alive.too-many': '{count} (demasiados)',
  'profiling.alive.peerConnections': 'Conexiones entre pares',
  'profiling.alive.tracks': 'Pistas activas',
  'profiling.alive.workers': 'Hilos (workers)',
  'profiling.alive.objectUrls': 'URL de objetos',
  'profiling.alive.listeners': 'Escuchas de window y document',
  'profiling.overlay.queue': 'cola {last} ms, máximo {most} ms',
  'profiling.overlay.bitrate': '↑ {up} y ↓ {down} kbit/s',
}
