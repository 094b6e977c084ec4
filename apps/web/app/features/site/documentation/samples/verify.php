<?php
/** Returns the event of a request that your gateway signed, or null. */
function muripo_event(string $body, array $headers, string $secret): ?array
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $time = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($time) || abs(time() - (int) $time) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // Two signatures, separated by a space, while you replace a secret.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$event = muripo_event(
    file_get_contents('php://input'),
    getallheaders(),
    getenv('MURIPO_WEBHOOK_SECRET')
);
http_response_code($event === null ? 400 : 204);
if ($event !== null && $event['type'] === 'payment.completed') {
    error_log('paid ' . $event['data']['reference']);
}
