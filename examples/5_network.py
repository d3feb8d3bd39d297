"""A network of your own in torch: trained on self-play, put under the search, and measured in Elo."""

from torch import nn, optim
from torch.utils.data import DataLoader

from okapi import Brain, Dataset, match

data = Dataset.selfplay("champion", games=200, nodes=100)
network = nn.Sequential(nn.Flatten(), nn.Linear(768, 32), nn.ReLU(), nn.Linear(32, 1), nn.Sigmoid())
optimizer = optim.Adam(network.parameters(), lr=0.003)
for _epoch in range(4):
    for inputs, scores in DataLoader(data.torch("bitmap-768"), batch_size=256, shuffle=True):
        loss = nn.functional.mse_loss(network(inputs)[:, 0], scores)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
brain = Brain.from_torch(network, encoding="bitmap-768", name="mine")
result = match(brain, "material", games=100, nodes=50)
print(f"{len(data):,} positions, {result.elo:+.0f} Elo ({result.low:+.0f} … {result.high:+.0f}) against material")
