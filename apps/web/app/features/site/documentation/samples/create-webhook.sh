curl "$MURIPO_URL/api/v1/webhooks" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -d '{
    "url": "https://shop.example.com/muripo/events",
    "events": ["payment.completed", "payment.refunded"]
  }'
